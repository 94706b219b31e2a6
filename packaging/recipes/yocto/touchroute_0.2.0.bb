# Unpacks the tarball that scripts/package --tarball makes, from the folder files beside this recipe. For Yocto 5.1 and newer.
SUMMARY = "Routes the touches of touchscreens to programs"
DESCRIPTION = "A daemon that hit-tests fingers against windows and views, and sends each touch over a Unix socket to the \
program that is attached there."
LICENSE = "MIT & Apache-2.0"
LIC_FILES_CHKSUM = "file://usr/share/doc/touchroute/LICENSE;md5=efa9ab4f560350dcc2b12fe7cb234ce6"
SRC_URI = "file://touchroute-${PV}-${TARGET_ARCH}.tar.gz;subdir=${BP}"
COMPATIBLE_HOST = "(x86_64|aarch64).*-linux"
COMPATIBLE_HOST:libc-musl = "null"

inherit features_check systemd useradd

REQUIRED_DISTRO_FEATURES = "systemd"
SYSTEMD_SERVICE:${PN} = "touchrouted.socket touchrouted-control.socket touchrouted.service"
USERADD_PACKAGES = "${PN}"
GROUPADD_PARAM:${PN} = "--system input; --system touchroute; --system touchroute-output; --system touchroute-input; \
    --system touchroute-idle; --system touchroute-feedback"
USERADD_PARAM:${PN} = "--system --no-create-home --shell /sbin/nologin -g touchroute touchroute; \
    --system --no-create-home --shell /sbin/nologin -g touchroute-output touchroute-output; \
    --system --no-create-home --shell /sbin/nologin -g touchroute-idle touchroute-idle; \
    --system --no-create-home --shell /sbin/nologin -g touchroute-feedback touchroute-feedback"

# The programs are built and stripped.
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_SYSROOT_STRIP = "1"
INHIBIT_PACKAGE_DEBUG_SPLIT = "1"
do_configure[noexec] = "1"
do_compile[noexec] = "1"

# The outputs to TUIO and MQTT need liblo and mosquitto.
do_install() {
    cp -R --no-dereference --preserve=mode,links ${S}/etc ${S}/usr ${D}/
    rm -f ${D}${libexecdir}/touchroute/touchroute-tuio ${D}${libexecdir}/touchroute/touchroute-mqtt
    rm -f ${D}${systemd_system_unitdir}/touchroute-mqtt@.service
}

RDEPENDS:${PN} = "libevdev libinput libstdc++ libsystemd libudev"
FILES:${PN} += "${datadir} ${nonarch_libdir} ${systemd_system_unitdir}"
CONFFILES:${PN} = "${sysconfdir}/touchroute/touchroute.toml"
INSANE_SKIP:${PN} += "already-stripped ldflags"
