// A program with Qt Widgets: a button, a slider that lies and one that stands, and a button that, let
// go of, asks by a dialog, in 400 x 240 pixels. It prints what they come to, and ends with its input.
#include <QtCore/QSocketNotifier>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDialog>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSlider>
#include <cstdio>
#include <unistd.h>

static QSlider *slider(Qt::Orientation orientation, QWidget *parent, const char *name) {
  auto *slider = new QSlider(orientation, parent);
  slider->setRange(0, 100);
  QObject::connect(slider, &QSlider::sliderReleased, [=] {
    std::printf("%s at %d\n", name, slider->value());
  });
  return slider;
}

// Runs the loop until its button, which fills it, is clicked.
static void ask() {
  QDialog dialog(nullptr, Qt::FramelessWindowHint);
  dialog.setGeometry(0, 0, 400, 240);
  QPushButton answer(QStringLiteral("answer"), &dialog);
  answer.setGeometry(0, 0, 400, 240);
  QObject::connect(&answer, &QPushButton::clicked, &dialog, &QDialog::accept);
  std::puts("dialog asks");
  std::puts(dialog.exec() == QDialog::Accepted ? "dialog answered" : "dialog closed");
}

int main(int count, char **arguments) {
  QApplication application(count, arguments);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  QWidget window(nullptr, Qt::FramelessWindowHint);
  window.setGeometry(0, 0, 400, 240);
  auto *button = new QPushButton(QStringLiteral("press"), &window);
  button->setGeometry(0, 0, 100, 100);
  button->setStyleSheet(QStringLiteral("* { background: green } *:pressed { background: red }"));
  QObject::connect(button, &QPushButton::pressed, [] { std::puts("button pressed"); });
  QObject::connect(button, &QPushButton::released, [] { std::puts("button released"); });
  QObject::connect(button, &QPushButton::clicked, [] { std::puts("button clicked"); });
  auto *asking = new QPushButton(QStringLiteral("ask"), &window);
  asking->setGeometry(250, 100, 100, 100);
  QObject::connect(asking, &QPushButton::released, ask);
  slider(Qt::Horizontal, &window, "lying")->setGeometry(150, 20, 200, 40);
  auto *standing = slider(Qt::Vertical, &window, "standing");
  standing->setGeometry(150, 80, 40, 150);
  standing->setValue(50);
  window.show();
  QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
  QObject::connect(&input, &QSocketNotifier::activated, &application, &QApplication::quit);
  std::puts("shown");
  return application.exec();
}
