#!/usr/bin/env node
// The command `create-plinth`, as `npm create plinth` runs it.

import { run } from './index.ts'

process.exitCode = await run(process.argv.slice(2))
