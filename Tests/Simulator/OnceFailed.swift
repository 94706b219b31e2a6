extension SimulationSettings.Kind {
  /// The seeds of worlds that once failed. They are run every time.
  ///
  /// What a seed stands for changes with what worlds are about: then it is one like others. The
  /// tests that pin what was found do not depend on it.
  var onceFailed: [UInt64] {
    switch self {
    case .touches:
      [
        77_006_913, 77_034_104, 77_051_745, 77_058_338, 77_067_554, 77_101_198, 77_038_922,
        77_055_080, 77_002_785, 77_121_267, 900_002_781, 238_559_714_517_261,
        238_559_714_515_989, 222_800_643_523_602, 210_373_669_510_545, 258_143_345_272_653,
      ]
    case .gestures:
      [
        77_023_706, 77_097_617, 77_039_512, 77_099_559, 77_105_024, 77_106_984,
        107_477_787_747_449, 107_477_787_587_321, 107_477_787_665_753, 238_559_714_518_581,
        107_477_787_613_530, 36_346_546_384_021, 36_346_546_341_600, 21_381_247_155_425,
        77_802_437_928_724, 77_802_437_781_442,
      ]
    }
  }
}
