// The plugin.
export {}
