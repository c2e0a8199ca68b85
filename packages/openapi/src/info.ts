// Finds out what the API is called: by the settings, else by the application's package.json.

import { applicationName } from '@plinth/server/transport'
import type { Config } from './config.ts'
import type { DocumentInfo } from './document.ts'

/** Returns the title, the version and the description of the API of the application in `dir`. */
export async function infoOf(dir: string, { title, version, description }: Config): Promise<DocumentInfo> {
  const own = await applicationName(dir)
  return {
    title: title ?? own.name ?? 'API',
    version: version ?? own.version ?? '1.0.0',
    ...(description !== undefined && { description }),
  }
}
