// Plugins of v4 projects: those of package.json with what they add, and those of the project with types and routes.

import t from 'tap'
import { factsOf, installedPlugins, localPlugins } from '../src/plugins.ts'

t.test('packages are plugins by what they say, or by their names', async t => {
  const manifest = (strapi: object) => JSON.stringify({ strapi })
  const dir = t.testdir({
    node_modules: {
      'content-cache': { 'package.json': manifest({ kind: 'plugin', name: 'cache' }) },
      'strapi-plugin-helper': { 'package.json': manifest({ kind: 'library' }) },
      '@acme': { 'strapi-plugin-menus': { 'package.json': '{' } },
    },
  })
  const packages = {
    '@strapi/strapi': '4',
    '@strapi/utils': '4',
    '@strapi/plugin-i18n': '4',
    '@strapi/provider-upload-aws-s3': '4',
    'strapi-provider-email-brevo': '1',
    'content-cache': '1',
    'strapi-plugin-helper': '1',
    '@acme/strapi-plugin-menus': '1',
    'strapi-plugin-populate-deep': '1',
    'strapi-v4-plugin-unheard': '1',
    '@ckeditor/strapi-plugin-ckeditor': '1',
    'strapi-stripe': '1',
    lodash: '4',
  }
  const found = installedPlugins(dir, packages)
  t.same(
    found.map(one => `${one.packageName} ${one.name} ${one.standing}`),
    [
      '@acme/strapi-plugin-menus menus missing',
      '@ckeditor/strapi-plugin-ckeditor ckeditor differs',
      '@strapi/plugin-i18n i18n works',
      'content-cache cache missing',
      'strapi-plugin-populate-deep populate-deep differs',
      'strapi-stripe strapi-stripe missing',
      'strapi-v4-plugin-unheard unheard missing',
    ],
  )
  for (const { adds, here } of found) t.ok(adds.length > 3 && here.length > 3)
})

t.test('the plugins of real projects have facts', async t => {
  const names =
    'config-sync ckeditor tiptap-editor editorjs tinymce color-picker multi-select react-icons video-field import-export-entries ' +
    'documentation slugify populate-deep transformer seo sitemap cloud sentry meilisearch fuzzy-search publisher notes calendar ' +
    'comments menus navigation rest-cache prometheus email-designer strapi-stripe strapi-jwt-cookies responsive-image old-slugs'
  for (const name of names.split(' ')) t.ok(factsOf(name), name)
  t.equal(factsOf('an-own-thing'), null)
})

t.test('plugins of the project', async t => {
  const schema = (name: string, more = '') =>
    `{ "kind": "collectionType", "collectionName": "${name}_table", "info": { "singularName": "${name}", "pluralName": "${name}s" }, "attributes": { "a": { "type": "string" } } ${more} }`
  const dir = t.testdir({
    src: {
      plugins: {
        blog: {
          'package.json': '{ "strapi": { "name": "weblog", "kind": "plugin" } }',
          admin: { src: { 'index.js': 'export default <App />' }, schema: { 'schema.json': schema('admin') } },
          server: {
            'content-types': {
              post: { 'schema.json': `\uFEFF${schema('post')}` },
              tag: {
                'index.js': `module.exports = { schema: require('./x') }`,
                'schema.js': `'use strict';\nmodule.exports = ${schema('tag')};`,
              },
            },
            routes: {
              'index.js':
                "module.exports = [{ method: 'GET', path: '/posts', handler: 'post.find', config: {} }, { method: 'post', path: '/posts', handler: c => c }]",
              'broken.js': 'module.exports = [',
            },
          },
        },
        typed: {
          server: {
            src: {
              'content-types': {
                'single.ts': `export default { schema: ${schema('single').replace('collectionType', 'singleType')} as const }`,
              },
              'routes.ts':
                "export default { 'content-api': { type: 'content-api', routes: [{ method: 'DELETE', path: '/x/:id', handler: 'x.y' }] } }",
            },
          },
          dist: { server: { 'content-types': { 'single.js': `module.exports = ${schema('single')}` } } },
        },
        empty: {},
      },
    },
  })
  const plugins = localPlugins(dir)
  t.same(
    plugins.map(one => one.name),
    ['weblog', 'empty', 'typed'],
  )
  t.same(
    plugins.flatMap(one => one.types.map(({ uid, table, isSingle }) => [uid, table, isSingle])),
    [
      ['plugin::weblog.post', 'post_table', false],
      ['plugin::weblog.tag', 'tag_table', false],
      ['plugin::typed.single', 'single_table', true],
    ],
  )
  t.same(
    plugins.flatMap(one => one.routes.map(({ method, path, handler }) => `${method} ${path} ${handler}`)),
    ['GET /posts post.find', 'POST /posts null', 'DELETE /x/:id x.y'],
  )
  t.same(localPlugins(t.testdir({})), [])
})

t.test('routes of plugins of the project', async t => {
  const route = (path: string, more = '') => `{ method: 'GET', path: '${path}', handler: 'a.b'${more} }`
  const dir = t.testdir({
    src: {
      plugins: {
        listed: { server: { routes: { 'index.js': `module.exports = [${route('/panel')}]` } } },
        mixed: {
          server: {
            routes: {
              'index.js': `module.exports = { admin: { type: 'admin', routes: [${route('/settings')}] }, 'content-api': { type: 'content-api', prefix: '/shop', routes: [${route('/items')}, ${route('/all', ", config: { prefix: '' }")}] } }`,
              'more.js': `module.exports = [${route('/unsettled')}]`,
            },
          },
        },
        foldered: { server: { routes: { 'content-api': { 'auth.js': `module.exports = [${route('/login')}]` } } } },
        split: {
          server: {
            routes: {
              'index.ts': `import more from './more'\nexport default { api: { type: 'content-api', routes: [...more, ${route('/own')}] } }`,
              'more.ts': `export default [${route('/more')}]`,
            },
          },
        },
      },
    },
  })
  t.same(
    localPlugins(dir).flatMap(one => one.routes.map(({ type, prefix, path }) => `${type} ${prefix}${path}`)),
    [
      'content-api /foldered/login',
      'admin /listed/panel',
      'admin /mixed/settings',
      'content-api /shop/items',
      'content-api /all',
      'null /mixed/unsettled',
      'content-api /split/own',
      'content-api /split/more',
    ],
  )
})
