// Lists and forms: entries are found, written, published, and kept when something fails.

import { playScenes } from './fixtures/play.ts'

await playScenes('editing')
