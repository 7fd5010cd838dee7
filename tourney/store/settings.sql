-- A turn takes milliseconds. If a desk freezes or its machine is lost, these timeouts end its turn before the other
-- desks run out of PATIENCE (60 s). A commit is on the disk before the server confirms it, even if the server's setting
-- is `off`.
SELECT set_config('search_path', 'pg_catalog', false),
       set_config('statement_timeout', '60s', false), set_config('lock_timeout', '60s', false),
       set_config('idle_in_transaction_session_timeout', '50s', false),
       set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25s', false),
       set_config(
         'synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false
       );
