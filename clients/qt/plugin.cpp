// plugin.cpp: touchroute among Qt's generic plugins.
//
// SPDX-License-Identifier: MIT
#include "touchhandler.h"

#include <QtGui/qgenericplugin.h>

class TouchroutePlugin : public QGenericPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "touchroute.json")

public:
  // What Qt calls for "-plugin touchroute:home" and QT_QPA_GENERIC_PLUGINS=touchroute:home.
  QObject *create(const QString &name, const QString &specification) override {
    if (name.compare(QLatin1String("touchroute"), Qt::CaseInsensitive) != 0)
      return nullptr;
    return TouchHandler::create(specification);
  }
};

#include "plugin.moc"
