// The first file of TouchInputTests.
