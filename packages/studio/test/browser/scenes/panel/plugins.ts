// The contract for plugins of others: a colour picker, as a plain file and bundled, and modules that cannot be used.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import { build, stop } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import colourPicker from 'plinth-plugin-colour-picker'
import type { Test } from 'tap'
import studio from '../../../../src/index.ts'
import { passwordOf } from '../../fixtures/content.ts'
import type { PanelPage, Stage } from '../../fixtures/stage.ts'

const plain = new URL('../studio/colour.js', import.meta.resolve('plinth-plugin-colour-picker')).href

/** What the panel shares with plugins, so that there is one React. */
const external = ['react', 'react/jsx-runtime', 'react-dom', '@plinth/studio/plugin']

export default async function play(t: Test, stage: Stage): Promise<void> {
  const folder = await temporary(t)
  const bundled = join(folder, 'bundled.js')
  const source = fileURLToPath(plain).replace(/\.js$/, '.jsx')
  await build({
    entryPoints: [source],
    outfile: bundled,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    external,
    logLevel: 'error',
  })
  await stop()
  const other = join(folder, 'other.js')
  await writeFile(other, 'export default { api: 2, inputs: {} }\n')
  const broken = join(folder, 'broken.js')
  await writeFile(broken, 'throw new Error("no")\n')

  const shown = await openWith(t, stage, plain)
  await shown.go('/content/walls/1')
  await shown.page.getByLabel('Paint: pick').fill('#336699')
  await shown.page.keyboard.press('Control+s')
  await shown.page.getByText('Saved', { exact: true }).waitFor()
  t.equal(await shown.page.getByRole('textbox', { name: 'Paint', exact: true }).inputValue(), '#336699')
  await shown.check(t, 'plugin-input')
  await shown.page.getByRole('link', { name: 'Palette' }).click()
  await shown.page.getByRole('button', { name: 'One more' }).click()
  await shown.page.getByText('4 colours').waitFor()
  await shown.check(t, 'plugin-page')
  await shown.go('/content/walls/2')
  await shown.page.getByText('The input for this value failed').waitFor()
  await shown.page.getByRole('textbox', { name: 'Name' }).fill('North')
  await shown.page.keyboard.press('Control+s')
  await shown.page.getByText('Saved', { exact: true }).waitFor()

  const made = await openWith(t, stage, pathToFileURL(bundled).href)
  await made.go('/content/walls/1')
  await made.page.locator('[data-bundled=true]').waitFor({ state: 'attached' })
  t.equal(await made.page.getByLabel('Paint: pick').inputValue(), '#ffffff')

  const refused = await openWith(t, stage, pathToFileURL(other).href)
  await refused.go('/content/walls/1')
  await refused.page.getByText('made for another version of the studio').waitFor()
  const failed = await openWith(t, stage, pathToFileURL(broken).href)
  await failed.go('/content/walls/1')
  await failed.page.getByText('The plugin colour-picker failed').waitFor()
  await failed.page.getByRole('textbox', { name: 'Paint', exact: true }).waitFor()
}

/** A page of a small application whose colours are picked by that module. */
async function openWith(t: Test, stage: Stage, module: string): Promise<PanelPage> {
  const app: FastifyInstance = await createServer({
    dir: await temporary(t),
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: false,
    migrate: 'add',
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'wall', pluralName: 'walls', displayName: 'Wall' },
        attributes: {
          name: { type: 'string' },
          paint: { type: 'customField', customField: 'plugin::colour-picker.colour' },
        },
      },
    ] as never,
    plugins: {
      rest: true,
      'content-type-builder': true,
      'entry-versions': true,
      'users-permissions': {
        config: { jwtSecret: 'a secret of the tests, long enough', permissions: { editor: ['*'] } },
      },
      studio: { plugin: studio },
      'colour-picker': { plugin: colourPicker, config: { module } },
    },
  })
  t.teardown(() => app.close())
  const [role] = await app.kernel.query('plugin::users-permissions.role').findMany({ filters: { type: 'editor' } })
  const user = { username: 'editor', email: 'editor@example.com', password: passwordOf('editor'), confirmed: true }
  await app.kernel
    .query('plugin::users-permissions.user')
    .create({ data: { ...user, provider: 'local', role: role!.id } })
  const walls = app.kernel.query('api::wall.wall')
  await walls.create({ data: { name: 'South', paint: '#ffffff' } })
  await walls.create({ data: { name: 'West', paint: 'fail' } })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const payload = { identifier: 'editor', password: passwordOf('editor') }
  const { jwt } = (await app.inject({ method: 'POST', url: '/api/auth/local', payload })).json()
  return stage.open({ server: { address, tokenOf: async () => jwt }, expects: [/A fault of the plugin/] })
}
