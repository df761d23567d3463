# gem install rack rackup puma; rackup receiver.ru -p "${PORT:-8080}"
require 'json'
require 'openssl'
require 'rack'

KEY = ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m')

def authentic?(request, body)
  id, timestamp = request.get_header('HTTP_WEBHOOK_ID'), request.get_header('HTTP_WEBHOOK_TIMESTAMP').to_s
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  signed = "#{id}.#{timestamp}.".b + body
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', KEY, signed)].pack('m0')}"
  given = request.get_header('HTTP_WEBHOOK_SIGNATURE').to_s.split(' ')
  given.any? { |one| Rack::Utils.secure_compare(one, expected) }
end

run lambda { |env|
  request = Rack::Request.new(env)
  body = (request.body&.read || '').b # the bytes as they came, before anything parses them
  next [401, {}, []] unless authentic?(request, body)

  signal = JSON.parse(body) # hand it on from here: answer first, work later
  puts "#{request.get_header('HTTP_WEBHOOK_ID')} #{signal['type']}" # the same id again is the same delivery
  [204, {}, []]
}
