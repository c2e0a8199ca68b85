// `.env` with fresh secrets, its example without them, and what git must leave out.

import { randomBytes } from 'node:crypto'
import type { Choices, Database } from '../choices.ts'
import type { Files } from './files-by-path.ts'

/** The variables whose values are secret, by the plugin that reads them. */
const secrets = { 'users-permissions': 'JWT_SECRET', 'api-tokens': 'API_TOKEN_SALT' } as const

/** The variables of the secrets that plugins need. */
export const secretsOf = (plugins: Choices['plugins']): readonly string[] =>
  Object.entries(secrets).flatMap(([plugin, variable]) =>
    plugins.has(plugin as keyof typeof secrets) ? [variable] : [],
  )

export function environmentFiles({ name, database, plugins }: Choices): Files {
  const own = secretsOf(plugins)
  const common = ['HOST=127.0.0.1', 'PORT=1337', ...databaseLines(name, database)]
  return {
    '.env': lines([
      '# Secrets of this machine. This file stays out of the repository.',
      ...common,
      ...own.map(makeSecretLine),
    ]),
    '.env.example': lines([
      '# Copy this file to .env and fill in what is empty. A secret is a long random value:',
      `# node -e "console.log(require('crypto').randomBytes(32).toString('base64url'))"`,
      ...common,
      ...own.map(variable => `${variable}=`),
    ]),
    '.gitignore': gitignore,
  }
}

const unversioned = ['node_modules/', '.env', '.env.*', '!.env.example', '.data/', '.tmp/', 'public/uploads/', '*.log']

/** The text of `.gitignore`. */
export const gitignore = `${unversioned.join('\n')}\n`

const makeSecretLine = (variable: string) => `${variable}=${randomBytes(32).toString('base64url')}`

function databaseLines(name: string, database: Database): string[] {
  if (database === 'sqlite') return ['DATABASE_FILENAME=.data/plinth.db']
  const isMysql = database === 'mysql'
  return [
    'DATABASE_HOST=127.0.0.1',
    `DATABASE_PORT=${isMysql ? 3306 : 5432}`,
    `DATABASE_NAME=${name.replaceAll(/[^a-z0-9]+/g, '_')}`,
    `DATABASE_USERNAME=${isMysql ? 'root' : 'postgres'}`,
    'DATABASE_PASSWORD=',
  ]
}

const lines = (all: readonly string[]) => `${all.join('\n')}\n`
