// The first file of the room Server.
