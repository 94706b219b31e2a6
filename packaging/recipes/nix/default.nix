# Unpacks the tarball that scripts/package --tarball makes, from the folder of this file.
# With nixpkgs: pkgs.callPackage ./default.nix { }
{ lib, stdenv, autoPatchelfHook, coreutils, libevdev, libinput, systemd }:

stdenv.mkDerivation (final: {
  pname = "touchroute";
  version = "0.2.0";
  src = ./. + "/touchroute-${final.version}-${stdenv.hostPlatform.parsed.cpu.name}.tar.gz";
  sourceRoot = ".";

  nativeBuildInputs = [ autoPatchelfHook ];
  buildInputs = [ libevdev libinput stdenv.cc.cc.lib systemd ];

  dontConfigure = true;
  dontBuild = true;
  # The programs are stripped.
  dontStrip = true;

  # The outputs to TUIO and MQTT need liblo and mosquitto.
  installPhase = ''
    runHook preInstall
    mkdir -p $out
    cp -a usr/. $out/
    cp -a etc $out/
    rm $out/libexec/touchroute/touchroute-tuio $out/libexec/touchroute/touchroute-mqtt
    rm $out/lib/systemd/system/touchroute-mqtt@.service
    for file in $out/lib/systemd/system/* $out/lib/udev/rules.d/* $out/share/touchroute/seat/*; do
      sed -i -E -e "s#/usr/bin/udevadm#${systemd}/bin/udevadm#" -e "s#/usr/bin/touch#$out/bin/touch#" \
        -e "s#/bin/(chgrp|chmod|kill) #${coreutils}/bin/\1 #" $file
    done
    sed -i "s|/usr|$out|" $out/lib/pkgconfig/libtouchroute.pc
    runHook postInstall
  '';

  meta = {
    description = "Routes the touches of touchscreens to programs";
    license = [ lib.licenses.mit lib.licenses.asl20 ];
    mainProgram = "touchroute";
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
})
