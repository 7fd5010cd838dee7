"""Names for invented players and clubs; whoever is called so is a coincidence."""

# ruff: noqa: SIM905  (a text is what a person reads and extends)

FIRST_NAMES = (
    "Abel Adda Aino Alva Anso Arlo Asta Bela Bram Cato Ciro Dara Dova Edda Eino Elio Enna Esra Faro Fenn Gala Gero Hale Hedy "
    "Ilja Inka Isra Jora Juna Kaja Kiro Lale Lior Lumi Maro Mila Mira Nael Neva Nilo Oona Orla Pavo Piet Quin Rhea Rino "
    "Runa Sela Silo Suri Taro Tess Tomo Ugo Uma Vida Vito Wren Yael Yuna Zeno Zita Zora"
).split()
LAST_NAMES = (
    "Alder Ashby Bantry Birch Brook Calder Cinder Cove Dale Drift Dune Ember Fallow Fenwick Flint Frost Gale Garnet Glen Grove "
    "Hazel Heath Hollow Inkwell Ivory Juniper Keel Kestrel Lark Linden Loam Marsh Meadow Moor Nettle Oake Orchard Pebble "
    "Pike Quarry Quill Ravel Reed Ridge Rook Sable Sedge Shale Slate Sorrel Stone Tarn Thicket Thorne Umber Vale Verdi Wick "
    "Wilder Willow Yarrow Yew Zephyr Zinn"
).split()
CLUBS = "Harbour Mill Station Castle Garden Bridge Tower Market Quarry Lantern Anchor Orchard".split()
