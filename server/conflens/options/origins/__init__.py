"""Where values come from: back over calls to classes, carriers and the places where data enters."""
