class Own < Exception
  getter n : Int32
  def initialize(@n : Int32)
    super("own")
  end
end
def work(n)
  raise Own.new(n) if n > 2
  raise "plain" if n == 2
  n
end
def f(n)
  begin
    work(n) + 1
  ensure
    puts "ensure #{n}"
  end
end
(1..4).each do |i|
  begin
    puts "ok #{f(i)}"
  rescue e : Own
    puts "own #{e.n}"
  rescue e
    puts "other #{e.message}"
  end
end
