// How the site is built: with the newest articles in its page.

import { defineConfig, loadEnv } from 'vite'
import { newestArticles } from './src/front-page.ts'

export default defineConfig(({ mode }) => {
  const { VITE_PLINTH_URL: url = 'http://localhost:1337' } = loadEnv(mode, import.meta.dirname)
  return {
    plugins: [
      {
        name: 'front-page',
        apply: 'build',
        async transformIndexHtml(html) {
          const list = await newestArticles(url)
          if (list === null) console.warn(`The page has no articles, because no server answers at ${url}.`)
          return html.replace('<main></main>', () => `<main>${list ?? ''}</main>`)
        },
      },
    ],
  }
})
