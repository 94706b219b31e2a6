// The first file of the room Configuration.
