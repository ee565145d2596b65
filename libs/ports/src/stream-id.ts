/** `node/<uuid>`, `port/<uuid>`, ...: one stream per node and per plain resource (architecture, "The log"). */
export type StreamId = string;
