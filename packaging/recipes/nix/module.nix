# The service, for NixOS: imports = [ ./module.nix ]; then services.touchroute.enable and .configuration.
{ config, lib, pkgs, ... }:

let
  cfg = config.services.touchroute;
  user = name: { isSystemUser = true; group = name; };
in
{
  options.services.touchroute = {
    enable = lib.mkEnableOption "touchrouted, which routes the touches of touchscreens to programs";
    package = lib.mkOption {
      type = lib.types.package;
      default = pkgs.callPackage ./default.nix { };
      defaultText = lib.literalExpression "pkgs.callPackage ./default.nix { }";
      description = "The package with the daemon and its units.";
    };
    configuration = lib.mkOption {
      type = lib.types.path;
      example = lib.literalExpression "./touchroute.toml";
      description = "The file that becomes /etc/touchroute/touchroute.toml: screens, windows and views.";
    };
  };

  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ cfg.package ];
    environment.etc."touchroute/touchroute.toml".source = cfg.configuration;
    services.udev.packages = [ cfg.package ];
    systemd.packages = [ cfg.package ];
    systemd.tmpfiles.packages = [ cfg.package ];

    systemd.sockets.touchrouted.wantedBy = [ "sockets.target" ];
    systemd.sockets.touchrouted-control.wantedBy = [ "sockets.target" ];
    systemd.services.touchrouted.wantedBy = [ "multi-user.target" ];
    systemd.services.touchrouted.reloadTriggers = [ cfg.configuration ];

    users.groups.input = { };
    users.groups.touchroute = { };
    users.groups.touchroute-output = { };
    users.groups.touchroute-input = { };
    users.groups.touchroute-idle = { };
    users.groups.touchroute-feedback = { };
    users.users.touchroute = user "touchroute";
    users.users.touchroute-output = user "touchroute-output";
    users.users.touchroute-idle = user "touchroute-idle";
    users.users.touchroute-feedback = user "touchroute-feedback";
  };
}
