// Runs after a package was packed, and brings back the manifest that prepack.ts has replaced.

import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'

if (existsSync('.package.json')) await rename('.package.json', 'package.json')
