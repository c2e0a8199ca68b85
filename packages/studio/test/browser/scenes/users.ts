// Users and roles, for those who may: a user is made, given another role and blocked; rights of a role are changed.

import type { Test } from 'tap'
import type { Stage } from '../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const users = server.app.kernel.query('plugin::users-permissions.user')
  const { page, go, check } = await open({ as: 'administrator', expects: [/status of 400/] })
  await go('/users')
  await check(t, 'users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('nora')
  await dialog.getByLabel('Email').fill('nora@example.com')
  await dialog.getByRole('button', { name: /Role/ }).click()
  await page.getByRole('option', { name: 'Author' }).click()
  await check(t, 'users-new')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alertdialog', { name: 'The password of nora' }).waitFor()
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  await check(t, 'users-password')
  await page.getByRole('button', { name: 'Close' }).click()
  const logIn = () =>
    server.app.inject({ method: 'POST', url: '/api/auth/local', payload: { identifier: 'nora', password } })
  t.equal((await logIn()).statusCode, 200, 'the shown password is the one that was stored')

  await page.getByRole('button', { name: 'Edit nora' }).click()
  await page.getByText('Blocked: may not log in').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Blocked', { exact: true }).waitFor()
  t.equal((await logIn()).statusCode, 400, 'a blocked user may not log in')

  await page.getByRole('button', { name: 'Edit nora' }).click()
  await page.getByRole('button', { name: 'Delete this user' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('The user is deleted').waitFor()
  t.same(await users.findMany({ filters: { username: 'nora' } }), [])

  await go('/roles')
  await check(t, 'roles')
  await page.getByRole('link', { name: 'Author', exact: true }).click()
  const articles = page.getByRole('region', { name: 'api::article' })
  const mayDelete = articles.getByRole('checkbox', { name: 'delete', exact: true })
  await mayDelete.waitFor()
  await check(t, 'role')
  await articles.getByText('create', { exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').textContent(), /config\/plugins/, 'what is declared cannot be taken away')
  await articles.getByText('create', { exact: true }).click()
  await articles.getByText('delete', { exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The rights are saved').waitFor()
  await go('/roles')
  await page.getByRole('link', { name: 'Author', exact: true }).click()
  t.equal(await mayDelete.isChecked(), true)

  const editor = await open()
  await editor.go('/users')
  await editor.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
}
