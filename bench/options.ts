// The options of a bench run, all from the environment.

import { existsSync } from 'node:fs'
import type { Plugins } from './variants.ts'

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)

/** Seconds of a run, seconds of warm-up, runs per server and scenario, open connections. */
export const SECONDS = number('SECS', 2)
export const WARM_UP = number('WARM', 6)
export const RUNS = number('RUNS', 6)
export const CONNECTIONS = number('CONN', 20)

/** Databases to run on, `DATABASES=sqlite,postgres`; null stands for all that answer. */
export const DATABASES: readonly string[] | null = process.env.DATABASES?.split(',') ?? null

/** Scenarios to run, `ONLY=S1,S3`; null stands for all of them. */
export const ONLY: readonly string[] | null = process.env.ONLY?.split(',') ?? null

/** Servers to compare, where a bench compares several of Plinth; null stands for all of them. */
export const NAMES: readonly string[] | null = process.env.NAMES?.split(',') ?? null

/** Whether both servers hide drafts: Plinth by its plugin draft-publish, the limit server by a condition of its own. */
export const DRAFTS: boolean =
  process.env.DRAFTS === undefined
    ? existsSync(new URL('../packages/draft-publish/src/index.ts', import.meta.url))
    : process.env.DRAFTS === '1'

/** The plugins of Plinth beside the limit server. */
export const PLUGINS: Plugins = DRAFTS ? 'media' : false
