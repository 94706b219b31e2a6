// The first file of the room EventLoop.
