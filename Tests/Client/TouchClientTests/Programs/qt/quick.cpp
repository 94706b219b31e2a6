// A program with Qt Quick: an area for a mouse, a handler of taps and an area of many touches, whose first
// has a knob, side by side in 400 x 240 pixels. It prints what they come to, and ends with its input.
#include <QtCore/QSocketNotifier>
#include <QtGui/QGuiApplication>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>
#include <QtQuick/QQuickWindow>
#include <cstdio>
#include <memory>
#include <unistd.h>

static const char source[] = R"(
import QtQuick
Window {
  width: 400; height: 240; visible: true; flags: Qt.FramelessWindowHint
  MouseArea {
    width: 100; height: 240
    Rectangle { anchors.fill: parent; color: parent.pressed ? "red" : "green" }
    onPressedChanged: console.info(pressed ? "mouse down" : "mouse up")
    onClicked: console.info("mouse clicked")
    onCanceled: console.info("mouse cancelled")
  }
  Item {
    x: 100; width: 100; height: 240
    TapHandler {
      longPressThreshold: 3600
      onTapped: console.info("tap")
      onPressedChanged: console.info(pressed ? "tap down" : "tap up")
    }
  }
  MultiPointTouchArea {
    x: 200; width: 200; height: 240
    function say(word, points) {
      console.info(word, points.map(p => Math.round(p.x) + "," + Math.round(p.y)).sort().join(" "))
    }
    onPressed: (points) => say("down", points)
    onReleased: (points) => console.info("up", points.length)
    onUpdated: (points) => {
      knob.x = points[0].x - 20
      knob.y = points[0].y - 20
      say("move", points)
    }
    Rectangle { id: knob; width: 40; height: 40; color: "blue" }
    onCanceled: (points) => console.info("cancelled", points.length)
  }
}
)";

static void print(QtMsgType type, const QMessageLogContext &, const QString &text) {
  std::fprintf(type == QtInfoMsg ? stdout : stderr, "%s\n", qPrintable(text));
}

int main(int count, char **arguments) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  qInstallMessageHandler(print);
  QGuiApplication application(count, arguments);
  QQmlEngine engine;
  QQmlComponent component(&engine);
  component.setData(source, QUrl());
  std::unique_ptr<QObject> window(component.create());
  if (!window) {
    std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
    return 1;
  }
  QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
  QObject::connect(&input, &QSocketNotifier::activated, &application, &QGuiApplication::quit);
  std::puts("shown");
  return application.exec();
}
