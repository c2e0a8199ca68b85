// The salt of the hashes of keys. v4 reads it from config/admin (B-6.71); a project that is moved keeps working with
// that file.

import { type Kernel, loadConfig } from '@plinth/kernel'

/** The settings that this file reads. */
export interface SaltConfig {
  readonly salt?: string | undefined
}

const variable = 'API_TOKEN_SALT'

/**
 * The salt: the setting of the plugin, the environment variable API_TOKEN_SALT, `apiToken.salt` of config/admin, or in
 * development one that is made. Throws StartError if there is none.
 */
export async function findSalt(kernel: Kernel, { salt }: SaltConfig): Promise<string> {
  const setting = salt ?? process.env[variable] ?? (await saltOfV4(kernel))
  return kernel.secret({ configured: setting, setting: 'config/plugins: api-tokens.config.salt', variable })
}

/** `apiToken.salt` of config/admin; undefined without a folder of an application. */
async function saltOfV4({ config, dir }: Kernel): Promise<string | undefined> {
  if (Object.keys(config).length === 0) return undefined
  const { apiToken } = (await loadConfig(dir, 'admin')) as { readonly apiToken?: { readonly salt?: unknown } }
  return typeof apiToken?.salt === 'string' ? apiToken.salt : undefined
}
