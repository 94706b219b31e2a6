// The first file of DeviceTests.
