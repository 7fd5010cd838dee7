"""All input and output below the command line: files, databases, the network, processes.

`journal`     the interface for the storage of an event: its entries, their texts, the secret
`places`      find an event by the name that a command gives: a file, or the address of a database
`sql_journal` the common part of both kinds of journal: `event_file` uses `sqlite`, and `postgres`
              uses `database`
`shared_folders`  recognize folders in which two computers can damage an event file
`backup`      copy an event, and find other files beside it that contain deleted texts
`export`      write an event as text, and read it back
`salvage`     make a new event from the intact parts of a damaged one and of its backups
`data`        find formats, profiles, pools and ban lists by name
`checking`    check these data files for errors
`banlists`    install ban lists in the data folder, draft new ones, read pasted ones
`pools`       install card pools in the data folder, and import tables of cards
`fetching`    get ban lists and card pools over the network
`http`        fetch a file, or post, within limits
`devices`     the codes and devices of players and staff, in the user's data folder
`outbox`      the addresses to which a user posts events, and a record of the posts
`files`       read files; replace a file or a folder atomically
`folder`      write published files to a folder without touching other files in it; run the upload command
`workbook`    read a sheet of an Excel workbook, in a separate process
`fide`        run the engine of FIDE's Dutch system as a process, which `again` keeps alive
`workers`     run simulations in several processes, or on other machines
"""
