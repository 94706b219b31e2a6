// The first file of TouchClientTests.
