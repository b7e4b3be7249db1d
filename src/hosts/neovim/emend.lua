-- emend for Neovim, 0.7 and later: what is open here is what agents see and change.
--
--   require('emend').setup()                      -- `emend` is on PATH
--   require('emend').setup({ cmd = { 'npx', 'emend', 'lsp' }, root = '/path', own_server = true })
--
-- :EmendUndo takes the last agent edit back, :EmendLastEdit shows it, :EmendStatus says who is there.

local M = {}

local state = { config = nil, client = nil, activity = nil, leaving = false }

local function get_client()
  return state.client and vim.lsp.get_client_by_id(state.client)
end

-- Clients became objects with methods in 0.11, and calling their functions without `self` went in 0.13.
local function send(client, what, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[what](client, ...)
  end
  return client[what](...)
end

local function is_file(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr)
    and vim.api.nvim_buf_get_option(bufnr, 'buftype') == ''
    and vim.api.nvim_buf_get_name(bufnr) ~= ''
end

local function find_root()
  local start = vim.api.nvim_buf_get_name(0)
  local dir = start ~= '' and vim.fn.fnamemodify(start, ':p:h') or vim.fn.getcwd()
  local at = dir
  while at ~= '' do
    if vim.fn.isdirectory(at .. '/.git') == 1 or vim.fn.filereadable(at .. '/.git') == 1 then
      return at
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      break
    end
    at = above
  end
  return vim.fn.getcwd()
end

-- The version of a buffer that emend was told last. Nothing is held back, so it is that of the present text; the
-- buffer's tick may be ahead of it, since it also counts what changes no text.
local function version_of(bufnr)
  return vim.lsp.util.buf_versions[bufnr]
end

-- What this editor's own servers say. A diagnostic has no version, so it goes with the text that is there now.
local function hand_over(bufnr)
  local client = get_client()
  if not client or state.config.own_server or not is_file(bufnr) or not version_of(bufnr) then
    return
  end
  local findings = {}
  for _, found in ipairs(vim.diagnostic.get(bufnr)) do
    local lsp = found.user_data and found.user_data.lsp or {}
    local function position(lnum, col)
      local line = vim.api.nvim_buf_get_lines(bufnr, lnum, lnum + 1, false)[1] or ''
      local _, utf16 = vim.str_utfindex(line, math.min(col, #line))
      return { line = lnum, character = utf16 }
    end
    local code = found.code or lsp.code
    table.insert(findings, {
      range = {
        start = position(found.lnum, found.col),
        ['end'] = position(found.end_lnum or found.lnum, found.end_col or found.col),
      },
      severity = found.severity,
      code = (type(code) == 'string' or type(code) == 'number') and code or nil,
      message = found.message,
      source = type(found.source) == 'string' and found.source or nil,
    })
  end
  send(client, 'notify', 'emend/diagnosed', {
    uri = vim.uri_from_bufnr(bufnr),
    version = version_of(bufnr),
    diagnostics = #findings > 0 and findings or setmetatable({}, { __jsontype = 'array' }),
  })
end

-- Starts a new block in the buffer's undo: what an agent did is one step, and what was typed before is another.
local function break_undo(bufnr)
  vim.api.nvim_buf_set_option(bufnr, 'undolevels', vim.api.nvim_buf_get_option(bufnr, 'undolevels'))
end

-- All edits are of the text at the version that they name, or none of them is made.
local function apply_edit(_, params)
  local changes = {}
  for _, change in ipairs(params.edit.documentChanges or {}) do
    local bufnr = change.textDocument and vim.uri_to_bufnr(change.textDocument.uri)
    if not bufnr or not vim.api.nvim_buf_is_loaded(bufnr) then
      return { applied = false, failureReason = 'it is not open' }
    end
    if version_of(bufnr) ~= change.textDocument.version then
      return { applied = false, failureReason = 'the buffer has changed' }
    end
    if not vim.api.nvim_buf_get_option(bufnr, 'modifiable') then
      return { applied = false, failureReason = 'the buffer can not be modified' }
    end
    table.insert(changes, { bufnr = bufnr, edits = change.edits })
  end
  for _, change in ipairs(changes) do
    break_undo(change.bufnr)
    vim.lsp.util.apply_text_edits(change.edits, change.bufnr, 'utf-16')
    break_undo(change.bufnr)
  end
  return { applied = true }
end

local function attach(bufnr)
  local client = get_client()
  if client and is_file(bufnr) then
    vim.lsp.buf_attach_client(bufnr, client.id)
    -- Silence may mean that nobody has looked yet.
    if #vim.diagnostic.get(bufnr) > 0 then
      hand_over(bufnr)
    end
  end
end

local start

local function on_exit(code, signal)
  state.client = nil
  -- One that was killed ends with 0 too; 15 is how Neovim itself stops one that is to stop.
  if state.leaving or (code == 0 and (signal == 0 or signal == 15)) then
    return
  end
  -- It was killed: what is open has to be known again.
  vim.defer_fn(function()
    if not state.leaving and not state.client then
      start()
    end
  end, 500)
end

start = function()
  local root = state.config.root or find_root()
  state.client = vim.lsp.start_client({
    name = 'emend',
    cmd = state.config.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    offset_encoding = 'utf-16',
    init_options = { diagnostics = state.config.own_server and 'own' or 'editor', activity = true },
    -- A key that was pressed is told at once: edits are planned on it.
    flags = { debounce_text_changes = 0, allow_incremental_sync = true },
    handlers = {
      ['workspace/applyEdit'] = apply_edit,
      ['emend/activity'] = function(_, activity)
        state.activity = activity
      end,
    },
    on_init = function()
      vim.schedule(function()
        for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
          attach(bufnr)
        end
      end)
    end,
    on_exit = function(...)
      local code, signal = ...
      vim.schedule(function()
        on_exit(code, signal)
      end)
    end,
  })
end

--- Takes the last agent edit back, wherever it was made; returns at once and tells the outcome when it is known.
function M.undo()
  local client = get_client()
  if not client then
    return vim.notify('emend is not running', vim.log.levels.WARN)
  end
  send(client, 'request', 'emend/undo', vim.empty_dict(), function(err, result)
    -- What is under way when Neovim ends is refused by its own end.
    if state.leaving then
      return
    end
    vim.notify(err and err.message or result.text, (err or not result.ok) and vim.log.levels.WARN or nil)
  end, 0)
end

--- Who is there and what was changed last, as emend told it: `{ root, fronts, lastEdit }`, or nil.
function M.activity()
  return state.activity
end

--- Shows the last agent edit as a diff, in a scratch window.
function M.last_edit()
  local last = state.activity and state.activity.lastEdit
  if not last then
    return vim.notify('No agent has changed anything yet')
  end
  vim.cmd('new')
  local lines = {}
  for _, file in ipairs(last.files) do
    vim.list_extend(lines, vim.split(file.diff, '\n'))
  end
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_option(bufnr, 'buftype', 'nofile')
  vim.api.nvim_buf_set_option(bufnr, 'bufhidden', 'wipe')
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.api.nvim_buf_set_option(bufnr, 'filetype', 'diff')
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
end

--- Starts emend for this editor. `cmd`: how it is run (`{ 'emend', 'lsp' }`); `root`: the folder to work in (the one
--- with `.git` above the first file, else the working directory); `own_server`: emend's own language servers judge
--- edits, and not those of this editor.
function M.setup(config)
  state.config = vim.tbl_extend('keep', config or {}, { cmd = { 'emend', 'lsp' }, own_server = false })
  local group = vim.api.nvim_create_augroup('emend', { clear = true })
  local on = function(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, callback = callback })
  end
  on({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, function(event)
    attach(event.buf)
  end)
  on('DiagnosticChanged', function(event)
    hand_over(event.buf)
  end)
  on('VimLeavePre', function()
    state.leaving = true
  end)
  vim.api.nvim_create_user_command('EmendUndo', M.undo, {})
  vim.api.nvim_create_user_command('EmendLastEdit', M.last_edit, {})
  vim.api.nvim_create_user_command('EmendStatus', function()
    local activity = state.activity
    vim.notify(
      activity and string.format('emend: %d agents at %s', activity.fronts, activity.root) or 'emend: no agent yet'
    )
  end, {})
  start()
end

return M
