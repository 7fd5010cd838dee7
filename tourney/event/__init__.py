"""An event: what can happen to it, what it is after that, and what is shown of it. Nothing here touches the machine.

`ops`       everything that can happen, an op each: the file format's contract
`entry`     an op with who and when, in the chain of digests; names, decks and reasons, kept beside it
`state`     what an event is, as data, and its digest
`fold`      from the entries to the state: the loop, which of them stand, and taking them back
`kind`      what each op has beside its form: when it may happen, its effect, its words, what it rests on
`event_admin`, `players`, `decks`, `rounds`, `results`, `claims`, `brackets`, `penalties`: these, a noun a module
`field`     from the state to what the engines are asked; `systems/`: a module a pairing system, everything of it
`seating`   a round while players are moved about in it, and rounds that the organizer types
`names`     what may be a name and who is meant; `score`: how a result is typed and what it means
`phrases`   words that receipts, the log and pages share
`view`      what people are shown of it: the forms; `showing`: these, filled from a state
`prizes`    what the places are worth; `exchange`: an event as results that other programs read, and theirs as an event
"""
