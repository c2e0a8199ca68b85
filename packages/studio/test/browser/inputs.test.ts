// The inputs of attributes that have more than one field: texts with marks, media, links, and parts.

import { playScenes } from './fixtures/play.ts'

await playScenes('inputs')
