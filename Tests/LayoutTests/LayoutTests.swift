// The first file of LayoutTests.
