// The text of a new plugin and of its test: a setting, and a route if the application has a server.

/** The text of `index.ts` or `index.mjs`. */
export function pluginText(name: string, hasServer: boolean): string {
  return `// The plugin ${name} of this application.

import { definePlugin, Type } from '@plinth/kernel'
${hasServer ? "import { apiPrefix } from '@plinth/server/transport'\n" : ''}
export default definePlugin({
  name: '${name}',
  // Its settings in config/plugins: { config: { greeting: 'Good morning' } }.
  config: Type.Object({ greeting: Type.String({ default: 'Hello' }) }, { additionalProperties: false }),
  register({ kernel, config }) {
${hasServer ? routeText(name) : logText(name)}  },
})
`
}

function routeText(name: string): string {
  return `    kernel.hooks.on('onMount', app => {
      // Everybody may call it. A route that names an action in its \`config\` asks for the right to that action.
      app.get(\`\${apiPrefix(kernel)}/${name}/hello\`, async () => ({ data: config.greeting }))
    })
`
}

function logText(name: string): string {
  return `    kernel.log.info(\`\${config.greeting} from the plugin ${name}\`)
`
}

/** The text of its test, for an application with a server. `file` is the name of the plugin's file beside it. */
export function pluginTestText(name: string, file: string): string {
  const key = pluginKey(name)
  return `// Tests of the plugin ${name}.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '@plinth/testing'
import plugin from './${file}'

test('the route answers with the greeting of the settings', async t => {
  const app = await createTestApp({ plugins: { ${key}: { plugin, config: { greeting: 'Good morning' } } } })
  t.after(() => app.close())
  const answer = await app.inject('/api/${name}/hello')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { data: 'Good morning' })
})
`
}

/** The name as a key of an object. */
export const pluginKey = (name: string): string => (name.includes('-') ? `'${name}'` : name)
