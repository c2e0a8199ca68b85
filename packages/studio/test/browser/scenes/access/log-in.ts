// Logging in and out: the way back to the page that was asked for, a wrong password, and a token that has ended.

import type { Test } from 'tap'
import { passwordOf } from '../../fixtures/content.ts'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const expects = [/status of 40[01]/]
  const { page, go, check } = await open({ as: null, expects })
  await go('/content/articles?q=Harbour')
  await check(t, 'log-in')
  await page.getByLabel('Email or username').fill('editor')
  await page.getByLabel(/^Password/).fill('wrong-password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').textContent(), /Invalid identifier or password/, "the server's words")
  await check(t, 'log-in-refused')

  await page.getByLabel(/^Password/).fill(passwordOf('editor'))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Articles' }).waitFor()
  t.equal(new URL(page.url()).search, '?q=Harbour', 'it returns to the address that was asked for')
  t.equal(
    await page.evaluate('localStorage.getItem("plinth-studio.token")'),
    null,
    'the token is kept for the tab alone',
  )
  t.notMatch(page.url(), /eyJ/, 'no address has the token')

  await page.evaluate('sessionStorage.setItem("plinth-studio.token", "ended")')
  await go('/content/tags')
  await page.getByLabel('Email or username').waitFor()
  t.equal(await page.evaluate('sessionStorage.getItem("plinth-studio.token")'), null, 'a 401 deletes the token')
  await page.getByLabel('Email or username').fill('editor@example.com')
  await page.getByLabel(/^Password/).fill(passwordOf('editor'))
  await page.getByText('Stay logged in').click()
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Tags' }).waitFor()
  t.type(await page.evaluate('localStorage.getItem("plinth-studio.token")'), 'string')

  await page.getByRole('button', { name: 'Menu of editor' }).click()
  await check(t, 'user-menu')
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Email or username').waitFor()
  t.equal(await page.evaluate('localStorage.getItem("plinth-studio.token")'), null, 'logging out deletes the token')
  t.equal(new URL(page.url()).pathname, '/studio/login')

  await page.goto(`${server.address}/studio/login?next=https://evil.example/`)
  await page.getByLabel('Email or username').fill('editor')
  await page.getByLabel(/^Password/).fill(passwordOf('editor'))
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Hello, editor' }).waitFor()
  t.equal(new URL(page.url()).pathname, '/studio', 'no address of another site is followed')
}
