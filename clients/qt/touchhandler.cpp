// touchhandler.cpp: one responder's touches, handed to Qt.
//
// SPDX-License-Identifier: MIT
#include "touchhandler.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QHash>
#include <QtCore/QSocketNotifier>
#include <QtGui/QGuiApplication>
#include <QtGui/QPointingDevice>
#include <QtGui/QScreen>
#include <private/qpointingdevice_p.h>
#include <qpa/qplatformscreen.h>
#include <qpa/qwindowsysteminterface_p.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace {

constexpr int mostFingers = 32; // what Qt is told; there may be more

TouchHandler *self(void *data) { return static_cast<TouchHandler *>(data); }

// Which way the widget under the mouse is dragged, if it says so: a slider, a scroll bar.
class DragWatch : public QObject {
public:
  DragWatch() { QCoreApplication::instance()->installEventFilter(this); }
  // Where a drag along its own axis comes to nothing.
  QPointF aside() const {
    constexpr qreal far = 100000;
    return m_orientation == Qt::Vertical ? QPointF(-far, 0) : QPointF(0, -far);
  }

protected:
  bool eventFilter(QObject *receiver, QEvent *event) override {
    if (event->type() == QEvent::MouseMove && receiver->isWidgetType())
      m_orientation = receiver->property("orientation").toInt();
    return false;
  }

private:
  int m_orientation = 0;
};

} // namespace

TouchHandler *TouchHandler::create(const QString &specification) {
  const QStringList parts = specification.split(QLatin1Char(','));
  QString screen;
  for (const QString &option : parts.mid(1)) {
    if (!option.startsWith(QLatin1String("screen="))) {
      qWarning("touchroute: \"%s\" is no option of the plugin: it has screen=NAME",
               qPrintable(option));
      return nullptr;
    }
    screen = option.mid(7);
  }
  if (parts.first().isEmpty()) {
    qWarning("touchroute: the plugin needs the path of a responder: -plugin touchroute:home");
    return nullptr;
  }
  std::unique_ptr<TouchHandler> handler(new TouchHandler(screen));
  if (!handler->hasScreen() || !handler->attach(parts.first()))
    return nullptr;
  return handler.release();
}

TouchHandler::TouchHandler(const QString &screen) : m_screen(screen) {}

TouchHandler::~TouchHandler() { touchroute_disconnect(m_connection); }

bool TouchHandler::attach(const QString &path) {
  touchroute_listener listener{};
  listener.size = sizeof listener;
  listener.touches = [](void *data, touchroute_connection *, const touchroute_frame *frame) {
    self(data)->keep(*frame);
  };
  listener.attached = [](void *data, touchroute_connection *, const touchroute_attached *attached) {
    self(data)->m_geometry = *attached;
  };
  listener.layout = listener.attached;
  listener.waiting = [](void *, touchroute_connection *, uint32_t, uint32_t, const char *text) {
    qWarning("touchroute: %s", text);
  };
  listener.detached = listener.waiting;
  listener.error = [](void *, touchroute_connection *, const touchroute_error *, const char *text) {
    qWarning("touchroute: %s", text);
  };
  listener.lost = [](void *, touchroute_connection *, const char *text) {
    qWarning("touchroute: %s", text);
  };
  const QByteArray responder = path.toUtf8();
  m_connection = touchroute_connect(nullptr, nullptr, TOUCHROUTE_RECONNECT, &listener, this);
  if (!m_connection || touchroute_attach(m_connection, responder.constData(),
                                         TOUCHROUTE_HANDLES_ALL, 0, TOUCHROUTE_ATTACH_WAIT) < 0) {
    qWarning("touchroute: %s", touchroute_error_text(m_connection));
    return false;
  }
  // As QtGui knows other touchscreens of the platform: it lives as long as the program does.
  m_device = new QPointingDevice(QLatin1String("touchroute ") + path,
                                 qint64(reinterpret_cast<quintptr>(this)),
                                 QInputDevice::DeviceType::TouchScreen,
                                 QPointingDevice::PointerType::Finger,
                                 QInputDevice::Capability::Position |
                                     QInputDevice::Capability::Area |
                                     QInputDevice::Capability::NormalizedPosition,
                                 mostFingers, 0);
  QWindowSystemInterface::registerInputDevice(m_device);
  m_notifier =
      new QSocketNotifier(touchroute_get_fd(m_connection), QSocketNotifier::Read, this);
  connect(m_notifier, &QSocketNotifier::activated, this, [this] { dispatch(); });
  return true;
}

// What touches do to the program may run its loop again, as a dialog does, and so come here again.
// So the library has returned before that.
void TouchHandler::dispatch() {
  if (touchroute_dispatch(m_connection, 0) < 0) {
    qWarning("touchroute: %s", touchroute_error_text(m_connection));
    m_notifier->setEnabled(false);
  }
  while (!m_frames.isEmpty())
    take(m_frames.takeFirst());
}

// A finger that comes down as another one goes is told behind that one. Qt cancels all fingers that
// are down, and makes a mouse only of a finger that came down alone.
void TouchHandler::keep(const touchroute_frame &frame) {
  Frame kept{ulong(frame.time_us / 1000), {}}, begun = kept;
  bool isEnding = false;
  for (uint32_t i = 0; i < frame.record_count; i++) {
    const touchroute_touch &touch = *frame.records[i].touch;
    isEnding = isEnding || touch.phase == TOUCHROUTE_PHASE_ENDED ||
               touch.phase == TOUCHROUTE_PHASE_CANCELLED;
    auto &changes = touch.phase == TOUCHROUTE_PHASE_BEGAN ? begun.changes : kept.changes;
    changes.append({touch.id, touch.phase, place(touch)});
  }
  if (!isEnding)
    kept.changes += std::exchange(begun.changes, {});
  m_frames.append(kept);
  if (!begun.changes.isEmpty())
    m_frames.append(begun);
}

void TouchHandler::take(const Frame &frame) {
  const ulong timestamp = frame.timestamp;
  QHash<quint64, QEventPoint::State> states;
  bool isCancelled = false;
  for (const Change &touch : frame.changes) {
    if (touch.phase == TOUCHROUTE_PHASE_BEGAN) {
      int id = 0; // the least that no other finger has
      while (std::any_of(m_fingers.cbegin(), m_fingers.cend(),
                         [id](const Finger &finger) { return finger.id == id; }))
        id++;
      m_fingers.insert(touch.id, {id, touch.place, touch.place, false});
      states[touch.id] = QEventPoint::Pressed;
    } else if (const auto finger = m_fingers.find(touch.id); finger != m_fingers.end()) {
      const bool isOver = touch.phase == TOUCHROUTE_PHASE_ENDED;
      finger->place = touch.place;
      if (touch.phase == TOUCHROUTE_PHASE_CANCELLED)
        isCancelled = isCancelled || !finger->isVoid;
      if (isOver || touch.phase == TOUCHROUTE_PHASE_MOVED)
        states[touch.id] = isOver ? QEventPoint::Released : QEventPoint::Updated;
    }
  }
  QList<QWindowSystemInterface::TouchPoint> points;
  bool isChanged = false;
  for (auto finger = m_fingers.cbegin(); finger != m_fingers.cend(); ++finger) {
    if (finger->isVoid)
      continue;
    points.append(point(*finger, states.value(finger.key(), QEventPoint::Stationary)));
    isChanged = isChanged || states.contains(finger.key());
  }
  if (isChanged)
    QWindowSystemInterface::handleTouchEvent(nullptr, timestamp, m_device, points);
  for (const Change &touch : frame.changes)
    if (touch.phase == TOUCHROUTE_PHASE_ENDED)
      m_fingers.remove(touch.id);
  if (isCancelled)
    cancel(timestamp);
  for (const Change &touch : frame.changes)
    if (touch.phase == TOUCHROUTE_PHASE_CANCELLED)
      m_fingers.remove(touch.id);
}

void TouchHandler::cancel(ulong timestamp) {
  const QList<quint64> cancelled = m_fingers.keys();
  QWindowSystemInterface::flushWindowSystemEvents();
  const Mice mice = takeMice(timestamp);
  letGoOfHandlers();
  QWindowSystemInterface::handleTouchCancelEvent<QWindowSystemInterface::SynchronousDelivery>(
      nullptr, timestamp, m_device);
  // Others may have come down meanwhile.
  for (quint64 touch : cancelled)
    if (const auto finger = m_fingers.find(touch); finger != m_fingers.end())
      finger->isVoid = true;
  release(mice, timestamp);
}

// Where nobody accepts touches, as most widgets don't, Qt makes a mouse of them, and of TouchCancel
// the release of its button, which is a click. So the mouse goes back to where it was pressed, that
// undoes a drag, and is released far from everything.
TouchHandler::Mice TouchHandler::takeMice(ulong timestamp) {
  auto &mice = QGuiApplicationPrivate::instance()->synthesizedMousePoints;
  if (mice.isEmpty())
    return {};
  DragWatch watch;
  QList<QWindowSystemInterface::TouchPoint> points;
  for (Finger &finger : m_fingers) {
    if (finger.isVoid)
      continue;
    finger.place = finger.beginning;
    points.append(point(finger, QEventPoint::Updated));
  }
  QWindowSystemInterface::handleTouchEvent<QWindowSystemInterface::SynchronousDelivery>(
      nullptr, timestamp, m_device, points);
  Mice taken = std::exchange(mice, {});
  for (auto &mouse : taken) {
    mouse.pos += watch.aside();
    mouse.screenPos += watch.aside();
  }
  return taken;
}

// Qt would release them while it goes through them. A program that then opens a dialog would have
// the next finger change them. So each release waits in the queue, behind the cancel.
void TouchHandler::release(const Mice &mice, ulong timestamp) {
  for (const auto &mouse : mice) {
    if (!mouse.window)
      continue;
    auto *event = new QWindowSystemInterfacePrivate::MouseEvent(
        mouse.window, timestamp, mouse.pos, mouse.screenPos, Qt::NoButton, Qt::NoModifier,
        Qt::LeftButton, QEvent::MouseButtonRelease, Qt::MouseEventSynthesizedByQt, false,
        m_device);
    event->flags |= QWindowSystemInterfacePrivate::WindowSystemEvent::Synthetic;
    QWindowSystemInterfacePrivate::windowSystemEventQueue.append(event);
  }
  QAbstractEventDispatcher::instance()->wakeUp();
}

// Handlers of Qt Quick that only watch a finger, as TapHandler does, are told by Qt 6.4 that it goes
// on elsewhere, and stay pressed. So they are told first that it is cancelled.
void TouchHandler::letGoOfHandlers() {
  const auto points = QPointingDevicePrivate::get(m_device)->activePoints.values();
  QTouchEvent event(QEvent::TouchCancel, m_device);
  for (const auto &point : points)
    for (const auto &grabber : point.passiveGrabbers)
      if (grabber)
        Q_EMIT m_device->grabChanged(grabber, QPointingDevice::CancelGrabPassive, &event,
                                     point.eventPoint);
}

bool TouchHandler::hasScreen() const {
  QStringList names;
  for (const QScreen *screen : QGuiApplication::screens())
    names.append(screen->name());
  if (m_screen.isEmpty() || names.contains(m_screen))
    return true;
  qWarning("touchroute: there is no screen \"%s\"; there are: %s", qPrintable(m_screen),
           qPrintable(names.join(QLatin1String(", "))));
  return false;
}

QScreen *TouchHandler::screen() const {
  for (QScreen *screen : QGuiApplication::screens())
    if (screen->name() == m_screen)
      return screen;
  return QGuiApplication::primaryScreen();
}

QPointF TouchHandler::place(const touchroute_touch &touch) const {
  const double *t = m_geometry.transform, *bounds = m_geometry.bounds;
  const QScreen *target = screen();
  const QRectF area = target ? target->handle()->geometry() : QRect();
  if (bounds[2] <= 0 || bounds[3] <= 0) // an application has no bounds
    return area.topLeft() + QPointF(touch.screen_x, touch.screen_y);
  const double x = t[0] * touch.screen_x + t[2] * touch.screen_y + t[4] - bounds[0];
  const double y = t[1] * touch.screen_x + t[3] * touch.screen_y + t[5] - bounds[1];
  return area.topLeft() +
         QPointF(x * area.width() / bounds[2], y * area.height() / bounds[3]);
}

QWindowSystemInterface::TouchPoint TouchHandler::point(const Finger &finger,
                                                       QEventPoint::State state) const {
  const QScreen *target = screen();
  const QRectF area = target ? target->handle()->geometry() : QRect();
  QWindowSystemInterface::TouchPoint point;
  point.id = finger.id;
  point.state = state;
  point.pressure = state == QEventPoint::Released ? 0 : 1;
  point.area = QRectF(0, 0, 8, 8); // of a finger, as Qt's own handlers say where it is not known
  point.area.moveCenter(finger.place);
  if (!area.isEmpty())
    point.normalPosition = QPointF((finger.place.x() - area.x()) / area.width(),
                                   (finger.place.y() - area.y()) / area.height());
  return point;
}
