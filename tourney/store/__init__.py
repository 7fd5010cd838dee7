"""All input and output below the command line: files, databases, the network, processes.

`journal`     the interface for the storage of an event: its entries, their texts, the secret
`places`      find an event from the words of a command: a file, or a database by its address
`sql_journal` the common part of both kinds of journal: `event_file` over `sqlite`, and `postgres`
              over `database`
`shared_folders`  recognize folders in which two computers may spoil an event file
`backup`      copy an event, and find other files beside it that hold deleted texts
`export`      write an event as text, and read it back
`salvage`     make a new event from the intact parts of a damaged one and of its backups
`data`        find formats, profiles, pools and ban lists by name
`checking`    proofread these data files
`installing`  put ban lists and card pools into the data folder; `fetching`: get them over the network
`pasted`      read a ban list that was pasted as lines
`http`        fetch a file, or post, within limits
`outbox`      the addresses that a user posts events to, and what was posted there
`files`       read files; replace a file or a folder atomically
`folder`      write published files to a folder without touching other files in it; run the upload command
`workbook`    read a sheet of an Excel workbook, in a separate process (`workbook_child`)
`fide`        run the engine of FIDE's Dutch system as a process (`again` keeps it alive)
`workers`     play simulations in several processes, or on other machines
"""
