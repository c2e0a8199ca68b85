#!/usr/bin/env node
// The command `create-plinth`. A file that is there before the package is built, because commands are linked first.

import './dist/bin.js'
