// Measures how long a key takes in an entry whose zone has 60 components with about 300 inputs, all unfolded. Not among the
// tests, because the times depend on the machine: `node test/browser/measure/typing.ts`

import t from 'tap'
import { openStage } from '../fixtures/stage.ts'

const keys = 'the quick brown fox jumps over'
/** The milliseconds that a key may take. */
const bound = 50

const links = [1, 2].map(index => ({ label: `Link ${index}`, url: `/${index}` }))
const sections = Array.from({ length: 60 }, (_, index) =>
  index % 3 === 1
    ? { __component: 'sections.contact', heading: `Contact ${index}`, openingHours: { index }, links }
    : { __component: 'shared.quote', text: `Quote ${index}`, source: 'Somebody' },
)

/** Keeps the duration of each event of a key, and within it the time that the page itself needed. */
const observer = `
window.events = []
new PerformanceObserver(list => {
  for (const { name, duration, processingStart, processingEnd } of list.getEntries())
    if (/^(?:keydown|keypress|beforeinput|input|keyup)$/.test(name)) events.push([duration, processingEnd - processingStart])
}).observe({ type: 'event', durationThreshold: 16 })`

t.test('typing in a zone of 60 components', async t => {
  const stage = await openStage(t, { optimizes: true })
  const data = { title: 'Long', slug: 'long', locale: 'en', publishedAt: null, sections }
  const entry = await stage.server.app.kernel.query('api::page.page').create({ data })
  const { page, go } = await stage.open({ width: 1440 })
  await go(`/content/pages/${entry!.id}`)
  await page.getByRole('button', { name: 'Unfold all' }).first().click()
  await page.evaluate(
    `document.querySelectorAll('[data-action=fold][aria-expanded=false]').forEach(one => one.click())`,
  )
  await page.locator('[data-field="sections.58.links.1.url"] input').waitFor()
  const inputs = await page.locator('main input, main textarea').count()
  const field = page.locator('[data-field="sections.30.text"] textarea')
  await field.click()
  await page.keyboard.type('warm')
  await page.evaluate(observer)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const scripts = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1000
  }
  const before = await scripts()
  await page.keyboard.type(keys, { delay: 100 })
  await page.waitForTimeout(500)
  const script = ((await scripts()) - before) / keys.length
  const events = (await page.evaluate('events')) as readonly (readonly [number, number])[]
  const worst = (index: 0 | 1) => Math.max(0, ...events.map(event => event[index]))
  const line = `${inputs} inputs; scripts ${script.toFixed(1)} ms a key; slowest key ${worst(1).toFixed(0)} ms, until it was painted ${worst(0).toFixed(0)} ms`
  process.stderr.write(`${line}\n`)
  t.ok(inputs >= 290, `${inputs} inputs`)
  t.ok(worst(1) < bound, line)
  await stage.close(t)
})
