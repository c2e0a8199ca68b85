// Who logs in, and what users, roles and tokens may do.

import { playScenes } from './fixtures/play.ts'

await playScenes('access')
