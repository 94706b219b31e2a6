// The first file of the room TouchClient.
