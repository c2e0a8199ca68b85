// The pages of users who have logged in, as one module: the browser loads it in one request, after the page on which one
// logs in, which needs none of them.

export { AccountPage } from '../pages/account/account-page.tsx'
export { EntryPage } from '../pages/entry/entry-page.tsx'
export { NewEntryPage } from '../pages/entry/new-entry-page.tsx'
export { HomePage } from '../pages/home/home-page.tsx'
export { MediaPage } from '../pages/media/media-page.tsx'
export { PluginPage } from '../pages/plugin-page.tsx'
export { RolePage } from '../pages/roles/role-page.tsx'
export { RolesPage } from '../pages/roles/roles-page.tsx'
export { TokensPage } from '../pages/tokens/tokens-page.tsx'
export { TypePage } from '../pages/type-page.tsx'
export { UsersPage } from '../pages/users/users-page.tsx'
