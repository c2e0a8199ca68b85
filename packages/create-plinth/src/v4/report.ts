// Reports on an application that was made from a v4 project, as lists of sentences.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from '../project/files-by-path.ts'
import { productionFaults } from './production.ts'
import type { Project } from './project.ts'
import { stricterLines } from './stricter.ts'

/** The lists. */
export interface Report {
  /** The parts of the project that are not taken along, each with its reason. */
  readonly left: readonly string[]
  /** The actions that are shut because code of the project guarded or replaced them. */
  readonly shut: readonly string[]
  /** The points in which the defaults of Plinth are stricter than v4. */
  readonly stricter: readonly string[]
  /** The faults that a start in production would refuse, and what it would not do. */
  readonly production: readonly string[]
}

/** The input of the lists. */
export interface ReportSource {
  readonly project: Project
  readonly left: readonly string[]
  /** The files of settings that the application has. */
  readonly config: Files
  /** config/plugins of v4; null if there is none. */
  readonly plugins: string | null
  readonly variables: Readonly<Record<string, string | undefined>>
  /** True if the settings of mails were taken along. */
  readonly sendsMails: boolean
}

/** Throws SyntaxError if the settings cannot be read. */
export async function reportOf({
  project,
  left,
  config,
  plugins,
  variables,
  sendsMails,
}: ReportSource): Promise<Report> {
  const apis = Object.entries(config).filter(([path]) => /^config\/api\.\w+$/.test(path))
  const concern = {
    plugins: new Set(project.plugins),
    hasDrafts: await hasDrafts(project),
    limitsPages: apis.some(([, text]) => /\bmaxLimit\b/.test(text)),
  }
  return {
    left,
    shut: project.guards.lines,
    stricter: stricterLines(concern),
    production: productionFaults({ variables, plugins, enabled: project.plugins, files: config, sendsMails }),
  }
}

async function hasDrafts({ dir, copied }: Project): Promise<boolean> {
  for (const path of copied) {
    const text = /\.json$/.test(path) ? await readFile(join(dir, path), 'utf8') : ''
    if (/"draftAndPublish"\s*:\s*true/.test(text)) return true
  }
  return false
}
