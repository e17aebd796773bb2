"""Word stock of the prose worlds: areas, parts that works play, attributes and sentence plans. All fictional."""
