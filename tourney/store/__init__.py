"""The only room that touches the machine: event files, data files, the network, the FIDE engine's process.

`journal`     the contract of what an event is kept in: entries that only grow, texts beside them, the secret
`places`      where an event is, from the words of a command: a file, or a database by its address
`sql_journal` what both kinds of journal share; `event_file`, `postgres`: the two, over `sqlite` and `database` connections
`shared_folders`  folders in which two computers may spoil an event file
`backup`      copies of an event beside it, and what else lies beside it and holds deleted texts
`export`      an event as text, and back
`salvage`     a new event from the intact parts of a damaged one and of its backups
`data`        formats, profiles, pools and ban lists within reach, and where they may lie
`checking`    all of them proofread
`installing`  ban lists and card pools put into the data folder; `fetching`: over the network
`pasted`      a ban list that was pasted as lines
`http`        fetching a file, and posting; whether what came is data, whole and small enough
`outbox`      where a user posts events to, and what was posted there
`files`       reading a file, putting a file or a folder in place so that nobody meets a half
`folder`      a folder of published files, of which nobody else's is touched, and what uploads it
`workbook`    a sheet of an Excel workbook, read by a process of its own (`workbook_child`)
`fide`        the engine of FIDE's Dutch system, as a process
"""
