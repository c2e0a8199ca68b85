// Takes the pictures of docs/studio.md: `npx pnpm@10 --filter docs pictures` opens each scene in Chromium, on the example, and
// stores what it shows in docs/images/studio as WebP. With names of pictures, it takes these alone.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, isComplete, launchChromium, type Page } from '@plinth/test-tools/chromium'
import { headersOf, openExample } from 'example/testing'
import type { FastifyInstance } from 'fastify'
import { root } from '../contents.ts'
import { type Scene, type Studio, scenes } from './scenes.ts'

/** The folder of the pictures. */
export const picturesFolder = join(root, 'docs/images/studio')

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }

/** The names of the users by their roles. */
const users = { editor: 'Josephine', author: 'Bartholomew', administrator: 'Ambrose' } as const

/** Waits until a page was complete for a while, with its pictures. */
async function untilComplete(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  while (!(await page.evaluate(isComplete))) await page.waitForTimeout(50)
}

/** Draws an image on a canvas, and returns it as WebP in base64. */
const convert = `async source => {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.82).split(',')[1]
}`

/** The example that is served at `origin`, the browser in which it is opened, and the tokens of the users by their roles. */
export interface Gallery {
  readonly app: FastifyInstance
  readonly origin: string
  readonly browser: Browser
  readonly tokens: ReadonlyMap<string, string>
}

/** Makes the users, serves the example, and opens a browser, which the caller closes. */
export async function openGallery(app: FastifyInstance): Promise<Gallery> {
  const tokens = new Map<string, string>()
  for (const [role, name] of Object.entries(users)) {
    const { authorization = '' } = await headersOf(app, role, name)
    tokens.set(role, authorization.replace('Bearer ', ''))
  }
  return { app, tokens, origin: await app.listen({ port: 0, host: '127.0.0.1' }), browser: await launchChromium() }
}

/** Takes the picture of a scene, as WebP in base64. */
export async function takePicture({ app, origin, browser, tokens }: Gallery, scene: Scene): Promise<string> {
  const { as = 'editor', isPhone = false, isDark = false, language = 'en-GB', show } = scene
  const page = await browser.newPage({
    viewport: isPhone ? sizes.phone : sizes.desk,
    colorScheme: isDark ? 'dark' : 'light',
    locale: language,
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
  })
  try {
    if (as !== null) {
      const token = JSON.stringify(tokens.get(as))
      await page.addInitScript(`sessionStorage.setItem('plinth-studio.token', ${token})`)
    }
    page.on('dialog', dialog => void dialog.accept())
    const studio: Studio = {
      page,
      async go(path) {
        await page.goto(`${origin}/studio${path}`)
        await untilComplete(page)
      },
      changeElsewhere: (id, data) => app.kernel.query('api::article.article').update(id, { data }),
    }
    await show(studio)
    await untilComplete(page)
    await page.mouse.move(2, 2)
    const source = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
    const blank = await browser.newPage()
    return String(await blank.evaluate(`(${convert})(${JSON.stringify(source)})`))
  } finally {
    await page.close()
  }
}

if (import.meta.main) {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(scenes)
  const { app, close } = await openExample({ isFirstStart: true })
  const gallery = await openGallery(app)
  try {
    await mkdir(picturesFolder, { recursive: true })
    for (const name of names)
      await writeFile(join(picturesFolder, `${name}.webp`), await takePicture(gallery, scenes[name]!), 'base64')
  } finally {
    await gallery.browser.close()
    await close()
  }
}
