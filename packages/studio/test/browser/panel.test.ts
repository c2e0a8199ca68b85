// The whole panel: how it looks on other screens and in other languages, and the plugins of others.

import { playScenes } from './fixtures/play.ts'

await playScenes('panel')
