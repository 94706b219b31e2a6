// The first file of the room TouchInput.
