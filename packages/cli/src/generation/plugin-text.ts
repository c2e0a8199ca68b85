// The text of a new plugin: a setting, and a route if the application has a server.

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
