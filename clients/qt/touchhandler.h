// touchhandler.h: one responder's touches, handed to Qt.
//
// SPDX-License-Identifier: MIT
#ifndef TOUCHROUTE_TOUCHHANDLER_H
#define TOUCHROUTE_TOUCHHANDLER_H

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QObject>
#include <QtCore/QPointF>
#include <QtCore/QString>
#include <private/qguiapplication_p.h>
#include <qpa/qwindowsysteminterface.h>
#include <touchroute.h>

class QPointingDevice;
class QScreen;
class QSocketNotifier;

// A responder, and the screen of Qt's that it covers. Touches come to the windows there as those of
// a touchscreen. TouchCancel is for all fingers at once in Qt, so a touch that is cancelled ends
// those beside it too, and these mean nothing more until they are lifted.
class TouchHandler : public QObject {
public:
  // specification: the responder's path, and after a comma the screen's name: "home,screen=DSI-1".
  // Without one it is the primary screen. Returns nullptr, and says why with qWarning, where
  // that is of no use.
  static TouchHandler *create(const QString &specification);
  ~TouchHandler() override;

private:
  struct Finger {
    int id;            // Qt's
    QPointF place;     // of the platform's pixels, as the next
    QPointF beginning;
    bool isVoid;       // down, but cancelled to Qt
  };

  struct Change {
    quint64 id; // the touch's
    quint32 phase;
    QPointF place;
  };
  struct Frame {
    ulong timestamp;
    QList<Change> changes;
  };

  // Those that Qt makes of touches.
  using Mice = decltype(QGuiApplicationPrivate::synthesizedMousePoints);

  explicit TouchHandler(const QString &screen);
  bool attach(const QString &path);
  void dispatch();
  void keep(const touchroute_frame &frame);
  void take(const Frame &frame);
  void cancel(ulong timestamp);
  Mice takeMice(ulong timestamp);
  void release(const Mice &mice, ulong timestamp);
  void letGoOfHandlers();
  bool hasScreen() const;
  QScreen *screen() const;
  QPointF place(const touchroute_touch &touch) const;
  QWindowSystemInterface::TouchPoint point(const Finger &finger, QEventPoint::State state) const;

  const QString m_screen;
  QPointingDevice *m_device = nullptr;
  QSocketNotifier *m_notifier = nullptr;
  touchroute_connection *m_connection = nullptr;
  touchroute_attached m_geometry{};
  QMap<quint64, Finger> m_fingers; // by touch, so the oldest first
  QList<Frame> m_frames;           // read, and not handed on yet
};

#endif
