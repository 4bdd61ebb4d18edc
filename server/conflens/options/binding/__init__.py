"""Classes whose members hold options: a configuration object is bound to them by a framework or by reflection."""
