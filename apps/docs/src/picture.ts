// Makes the picture of README.md: `npx pnpm@10 --filter docs picture` opens a page of the example in Chromium, and stores what it
// shows. For another page, change `show`, the name of the file, and the name in README.md.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchChromium, type Page } from '@plinth/test-tools/chromium'
import { openExample } from 'example/testing'
import { root } from './contents.ts'

/** The query that is shown. */
const query = `{
  articles(
    filters: { title: { containsi: "oven" } }
    sort: "publishedOn:desc"
    pagination: { limit: 2 }
  ) {
    data {
      attributes {
        title
        author { data { attributes { name } } }
      }
    }
    meta { pagination { total } }
  }
}`

/** Shows what the picture is of, when the server at `origin` is open in the page. */
async function show(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/graphql`)
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor()
  await page.evaluate(
    `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(${JSON.stringify(query)})`,
  )
  await page.locator('.graphiql-execute-button').click()
  await page.locator('.result-window', { hasText: '"title"' }).waitFor()
  // Nothing is under the pointer or has the focus, and the list of the names of the query is closed.
  await page.mouse.move(size.width / 2, 5)
  await page.evaluate('document.activeElement.blur()')
}

const size = { width: 1100, height: 560 }

/** The file that README.md shows. */
export const picturePath = join(root, 'docs/images/explorer.png')

/** Takes the picture of the example that is served at `origin`. */
export async function takePicture(origin: string): Promise<Buffer> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light', reducedMotion: 'reduce' })
    await show(page, origin)
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

if (import.meta.main) {
  const { app, close } = await openExample({ isFirstStart: true })
  try {
    await writeFile(picturePath, await takePicture(await app.listen({ port: 0, host: '127.0.0.1' })))
  } finally {
    await close()
  }
}
